import UIKit
import UserNotifications
import UserNotificationsUI

class NotificationViewController: UIViewController, UNNotificationContentExtension, UIScrollViewDelegate {

    struct Page: Decodable {
        let title: String
        let image: String
        let link: URL?
    }

    let scrollView = UIScrollView()
    let pageControl = UIPageControl()
    var pages = [Page]()

    override func loadView() {
        let stack = UIStackView(arrangedSubviews: [scrollView, pageControl])
        stack.axis = .vertical
        view = stack
        scrollView.isPagingEnabled = true
        scrollView.delegate = self
    }

    func didReceive(_ notification: UNNotification) {
        guard let text = notification.request.content.userInfo["pages"] as? String,
            let pages = try? JSONDecoder().decode([Page].self, from: Data(text.utf8))
        else { return }
        self.pages = pages
        pageControl.numberOfPages = pages.count
        for (index, page) in pages.enumerated() {
            let width = view.bounds.width
            let pageView = makePage(page)
            pageView.frame = CGRect(x: CGFloat(index) * width, y: 0, width: width, height: width)
            scrollView.addSubview(pageView)
        }
        scrollView.contentSize = CGSize(width: view.bounds.width * CGFloat(pages.count), height: view.bounds.width)
    }

    private func makePage(_ page: Page) -> UIView {
        let imageView = UIImageView(image: UIImage(named: page.image))
        imageView.contentMode = .scaleAspectFill
        let label = UILabel()
        label.text = page.title
        let button = UIButton(
            configuration: .filled(),
            primaryAction: UIAction(title: "Open") { [weak self] _ in
                guard let self, let link = page.link else { return }
                self.extensionContext?.open(link, completionHandler: nil)
            }
        )
        button.isHidden = page.link == nil
        let stack = UIStackView(arrangedSubviews: [imageView, label, button])
        stack.axis = .vertical
        return stack
    }

    func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        guard response.actionIdentifier == "NEXT" else {
            completion(.dismissAndForwardAction)
            return
        }
        let next = (pageControl.currentPage + 1) % max(pages.count, 1)
        UIView.animate(
            withDuration: 0.3,
            animations: {
                self.scrollView.contentOffset.x = CGFloat(next) * self.scrollView.bounds.width
            },
            completion: { _ in
                completion(.doNotDismiss)
            }
        )
    }

    func scrollViewDidScroll(_ scrollView: UIScrollView) {
        pageControl.currentPage = Int((scrollView.contentOffset.x / view.bounds.width).rounded())
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        scrollView.frame = view.bounds
    }

    // MARK: - Media

    var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType {
        .overlay
    }

    var mediaPlayPauseButtonFrame: CGRect {
        CGRect(x: 20, y: 20, width: 44, height: 44)
    }

    func mediaPlay() {
        extensionContext?.mediaPlayingStarted()
    }

    func mediaPause() {
        extensionContext?.mediaPlayingPaused()
    }
}
