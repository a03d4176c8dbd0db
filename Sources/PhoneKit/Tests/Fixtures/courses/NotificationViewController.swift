import UIKit
import UserNotifications
import UserNotificationsUI

class NotificationViewController: UIViewController {

    private let tableView = UITableView(frame: .zero, style: .plain)
    private let titleLabel = UILabel()
    private let dateLabel = UILabel()
    private let progressView = UIProgressView(progressViewStyle: .default)
    private var viewModel: CoursesViewModel? {
        didSet { viewModel?.onChange = { [weak self] in self?.render() } }
    }

    override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }

    required init?(coder aDecoder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        tableView.register(UINib(nibName: "CourseCell", bundle: nil), forCellReuseIdentifier: "course")
        tableView.dataSource = self
        tableView.delegate = self
        [tableView, progressView, dateLabel, titleLabel].forEach {
            $0.translatesAutoresizingMaskIntoConstraints = false
            view.addSubview($0)
        }
        titleLabel.font = UIFont.boldSystemFont(ofSize: 20)
        dateLabel.font = .preferredFont(forTextStyle: .caption1)
        titleLabel.topAnchor.constraint(equalTo: view.safeAreaLayoutGuide.topAnchor).isActive = true
        titleLabel.leadingAnchor.constraint(equalTo: view.leadingAnchor, constant: 16).isActive = true
        dateLabel.leadingAnchor.constraint(equalTo: titleLabel.trailingAnchor, constant: 8).isActive = true
        dateLabel.centerYAnchor.constraint(equalTo: titleLabel.centerYAnchor).isActive = true
        progressView.topAnchor.constraint(equalTo: titleLabel.bottomAnchor, constant: 8).isActive = true
        tableView.topAnchor.constraint(equalTo: progressView.bottomAnchor, constant: 8).isActive = true
    }

    private func render() {
        guard let viewModel = viewModel else { return }
        titleLabel.text = viewModel.title
        dateLabel.text = viewModel.date
        progressView.setProgress(viewModel.progress, animated: true)
        tableView.reloadData()
    }
}

extension NotificationViewController: UNNotificationContentExtension {
    func didReceive(_ notification: UNNotification) {
        viewModel = CoursesViewModel(notification: notification)
        render()
    }
}

extension NotificationViewController: UITableViewDataSource, UITableViewDelegate {
    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        viewModel?.courses.count ?? 0
    }

    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "course", for: indexPath)
        if let cell = cell as? CourseCell, let course = viewModel?.courses[indexPath.row] {
            cell.show(course)
        }
        return cell
    }

    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        tableView.deselectRow(at: indexPath, animated: true)
        viewModel?.toggle(at: indexPath.row)
    }
}
