import UIKit

/// A star of a rating.
@IBDesignable
final class StarView: UIView {
    @IBInspectable var isFull: Bool = false {
        didSet { backgroundColor = isFull ? #colorLiteral(red: 1, green: 0.8, blue: 0, alpha: 1) : nil }
    }
}
