import UIKit

/// What all cards of the café have.
open class CardController: UIViewController {
    /// Has the line of the order.
    @IBOutlet public weak var orderLabel: UILabel!

    /// How often the card was shown.
    public private(set) var count = 0

    open override func viewDidLoad() {
        super.viewDidLoad()
        count = Visits.count(in: .standard)
    }

    @IBAction open func close(_ sender: Any) {
        view.isHidden = true
    }
}
