import UIKit
import UserNotifications
import UserNotificationsUI

final class NotificationViewController: UIViewController {

    private enum Section {
        case board
    }

    private var game = MemoryGame(symbols: ["sun.max", "moon", "cloud"])
    private var seconds = 0
    private var timer: Timer?

    private let scoreLabel: UILabel = {
        let label = UILabel()
        label.font = .preferredFont(forTextStyle: .headline)
        label.textAlignment = .center
        label.translatesAutoresizingMaskIntoConstraints = false
        return label
    }()

    private lazy var boardView: UICollectionView = {
        let layout = UICollectionViewFlowLayout()
        layout.itemSize = CGSize(width: 100, height: 100)
        layout.minimumInteritemSpacing = 8
        let view = UICollectionView(frame: .zero, collectionViewLayout: layout)
        view.backgroundColor = .systemBackground
        view.delegate = self
        view.register(CardCell.self, forCellWithReuseIdentifier: CardCell.identifier)
        view.translatesAutoresizingMaskIntoConstraints = false
        return view
    }()

    private lazy var dataSource = UICollectionViewDiffableDataSource<Section, MemoryGame.Card>(
        collectionView: boardView
    ) { collectionView, indexPath, card in
        let cell = collectionView.dequeueReusableCell(withReuseIdentifier: CardCell.identifier, for: indexPath)
        (cell as? CardCell)?.configure(with: card)
        return cell
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(boardView)
        view.addSubview(scoreLabel)
        NSLayoutConstraint.activate([
            scoreLabel.topAnchor.constraint(equalTo: view.topAnchor, constant: 12),
            scoreLabel.centerXAnchor.constraint(equalTo: view.centerXAnchor),
            boardView.topAnchor.constraint(equalTo: scoreLabel.bottomAnchor, constant: 12),
            boardView.leadingAnchor.constraint(equalTo: view.leadingAnchor),
            boardView.trailingAnchor.constraint(equalTo: view.trailingAnchor),
            boardView.bottomAnchor.constraint(equalTo: view.bottomAnchor),
        ])
        timer = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { [weak self] _ in
            self?.seconds += 1
            self?.updateScore()
        }
        reload()
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        timer?.invalidate()
    }

    private func reload() {
        var snapshot = NSDiffableDataSourceSnapshot<Section, MemoryGame.Card>()
        snapshot.appendSections([.board])
        snapshot.appendItems(game.cards)
        dataSource.apply(snapshot, animatingDifferences: true)
        updateScore()
    }

    private func updateScore() {
        scoreLabel.text = game.isOver ? "Done in \(seconds) s" : "\(game.attempts) attempts, \(seconds) s"
    }
}

extension NotificationViewController: UNNotificationContentExtension {
    func didReceive(_ notification: UNNotification) {
        title = notification.request.content.title
    }
}

extension NotificationViewController: UICollectionViewDelegate {
    func collectionView(_ collectionView: UICollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool {
        !game.cards[indexPath.item].isFaceUp
    }

    func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {
        collectionView.deselectItem(at: indexPath, animated: false)
        let result = game.turn(indexPath.item)
        reload()
        guard result == .mismatch else { return }
        // Both cards stay visible for a second, and the board is locked meanwhile.
        view.isUserInteractionEnabled = false
        DispatchQueue.main.asyncAfter(deadline: .now() + 1) {
            self.game.hideMismatch()
            self.view.isUserInteractionEnabled = true
            self.reload()
        }
    }
}
