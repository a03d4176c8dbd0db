import UIKit

final class CupCell: UICollectionViewCell {
    static let reuseIdentifier = "CupCell"

    @IBOutlet private weak var symbolView: UIImageView!
    @IBOutlet private weak var nameLabel: UILabel!

    override func awakeFromNib() {
        super.awakeFromNib()
        contentView.layer.cornerRadius = 12
        contentView.layer.masksToBounds = true
    }

    override func prepareForReuse() {
        super.prepareForReuse()
        symbolView.image = nil
        nameLabel.text = nil
    }

    func show(_ cup: PairsGame.Cup) {
        let isVisible = cup.isOpen || cup.isFound
        symbolView.image = isVisible ? UIImage(systemName: cup.drink.symbol) : UIImage(systemName: "questionmark")
        nameLabel.text = isVisible ? cup.drink.title : nil
        contentView.backgroundColor = cup.isFound ? .systemGreen : .secondarySystemBackground
        accessibilityLabel = isVisible ? cup.drink.title : "Closed cup"
    }
}
