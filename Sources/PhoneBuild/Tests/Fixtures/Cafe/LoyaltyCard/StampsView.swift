import UIKit

/// The stamps of a card, in rows of five.
final class StampsView: UIStackView {
    private static let stampsInRow = 5

    override init(frame: CGRect) {
        super.init(frame: frame)
        axis = .vertical
        alignment = .leading
        spacing = 8
    }

    @available(*, unavailable)
    required init(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    func show(_ stamps: Int, of goal: Int) {
        arrangedSubviews.forEach { $0.removeFromSuperview() }
        for start in stride(from: 0, to: goal, by: Self.stampsInRow) {
            let row = UIStackView()
            row.spacing = 8
            for index in start..<min(start + Self.stampsInRow, goal) {
                row.addArrangedSubview(makeStamp(isFull: index < stamps))
            }
            addArrangedSubview(row)
        }
        isAccessibilityElement = true
        accessibilityLabel = "\(stamps) of \(goal) stamps"
    }

    private func makeStamp(isFull: Bool) -> UIImageView {
        let stamp = UIImageView(image: UIImage(systemName: isFull ? "star.fill" : "star"))
        stamp.contentMode = .scaleAspectFit
        stamp.tintColor = isFull ? .systemOrange : .tertiaryLabel
        NSLayoutConstraint.activate([
            stamp.widthAnchor.constraint(equalToConstant: 32),
            stamp.heightAnchor.constraint(equalTo: stamp.widthAnchor),
        ])
        return stamp
    }
}
