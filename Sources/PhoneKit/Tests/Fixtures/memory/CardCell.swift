import UIKit

final class CardCell: UICollectionViewCell {
    static let identifier = "CardCell"

    private let symbolView = UIImageView()
    private let backLabel = UILabel()

    override init(frame: CGRect) {
        super.init(frame: frame)
        backLabel.text = "?"
        backLabel.textAlignment = .center
        contentView.layer.cornerRadius = 8
        contentView.addSubview(symbolView)
        contentView.addSubview(backLabel)
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    func configure(with card: MemoryGame.Card) {
        symbolView.image = UIImage(systemName: card.symbol)
        symbolView.isHidden = !card.isFaceUp
        backLabel.isHidden = card.isFaceUp
        contentView.alpha = card.isMatched ? 0.3 : 1
    }
}
