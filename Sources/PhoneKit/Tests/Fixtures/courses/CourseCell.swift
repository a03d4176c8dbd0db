import UIKit

class CourseCell: UITableViewCell {
    weak var nameLabel: UILabel!
    weak var checkmarkView: UIImageView!

    private var isAwake = false

    override func awakeFromNib() {
        super.awakeFromNib()
        isAwake = true
    }

    func show(_ course: Course) {
        guard isAwake else { return }
        nameLabel.text = course.name
        checkmarkView.image = course.isDone ? UIImage(systemName: "checkmark.circle.fill") : nil
    }
}
