import CafeKit
import UIKit
import UserNotifications
import UserNotificationsUI

/// A game of pairs on the tray: whoever finds all drinks earns a stamp.
final class CupPairsController: UIViewController, UNNotificationContentExtension {
    private enum Section {
        case tray
    }

    private static let bestKey = "pairs_best_attempts"
    private static let missDelay: TimeInterval = 1

    @IBOutlet private weak var headlineLabel: UILabel!
    @IBOutlet private weak var scoreLabel: UILabel!
    @IBOutlet private weak var trayView: UICollectionView!
    @IBOutlet private weak var againButton: UIButton!

    private let records = GuestRecords()
    private var drinks: [Drink] = []
    private var game = PairsGame(drinks: [])
    private var timer: Timer?
    private var seconds = 0

    private lazy var dataSource = UICollectionViewDiffableDataSource<Section, Int>(
        collectionView: trayView
    ) { [weak self] collectionView, indexPath, index in
        let cell = collectionView.dequeueReusableCell(withReuseIdentifier: CupCell.reuseIdentifier, for: indexPath)
        if let cell = cell as? CupCell, let cup = self?.game.cups[index] {
            cell.show(cup)
        }
        return cell
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        trayView.delegate = self
        trayView.dataSource = dataSource
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        stopTimer()
    }

    func didReceive(_ notification: UNNotification) {
        let content = notification.request.content
        headlineLabel.text = content.title
        let names = content.userInfo["drinks"] as? [String] ?? []
        drinks = names.compactMap(Drink.init(rawValue:))
        if drinks.isEmpty {
            drinks = Array(Drink.allCases.prefix(3))
        }
        startGame()
    }

    @IBAction private func playAgain(_ sender: UIButton) {
        records.logEvent("pairs_again")
        startGame()
    }

    // MARK: - Game

    private func startGame() {
        stopTimer()
        seconds = 0
        game = PairsGame(drinks: drinks)
        trayView.isUserInteractionEnabled = true
        againButton.isHidden = true
        var snapshot = NSDiffableDataSourceSnapshot<Section, Int>()
        snapshot.appendSections([.tray])
        snapshot.appendItems(Array(game.cups.indices))
        dataSource.applySnapshotUsingReloadData(snapshot)
        updateScore()
    }

    private func openCup(at index: Int) {
        startTimer()
        let outcome = game.openCup(at: index)
        reloadCups()
        switch outcome {
        case .first:
            break
        case .pair where game.isOver:
            finish()
        case .pair:
            UIImpactFeedbackGenerator(style: .light).impactOccurred()
        case .miss:
            lockAfterMiss()
        }
    }

    /// The guest sees both cups for a second before they are closed again.
    private func lockAfterMiss() {
        trayView.isUserInteractionEnabled = false
        DispatchQueue.main.asyncAfter(deadline: .now() + Self.missDelay) { [weak self] in
            guard let self else { return }
            self.game.closeMiss()
            self.trayView.isUserInteractionEnabled = true
            self.reloadCups()
        }
    }

    private func finish() {
        stopTimer()
        againButton.isHidden = false
        records.logEvent("pairs_finished", properties: ["attempts": game.attempts, "seconds": seconds])
        let best = records.defaults.integer(forKey: Self.bestKey)
        if best == 0 || game.attempts < best {
            records.defaults.set(game.attempts, forKey: Self.bestKey)
            records.setCustomAttribute("best_pairs_attempts", to: game.attempts)
        }
    }

    private func reloadCups() {
        var snapshot = dataSource.snapshot()
        snapshot.reconfigureItems(snapshot.itemIdentifiers)
        dataSource.apply(snapshot, animatingDifferences: true)
        updateScore()
    }

    private func updateScore() {
        let pairs = game.cups.count / 2
        let found = game.isOver ? "All" : "\(game.pairsFound) of"
        scoreLabel.text = "\(found) \(pairs) pairs found, attempts: \(game.attempts), \(seconds) s"
    }

    // MARK: - Timer

    private func startTimer() {
        guard timer == nil else { return }
        timer = Timer.scheduledTimer(
            timeInterval: 1,
            target: self,
            selector: #selector(secondPassed(_:)),
            userInfo: nil,
            repeats: true
        )
    }

    private func stopTimer() {
        timer?.invalidate()
        timer = nil
    }

    @objc private func secondPassed(_ timer: Timer) {
        seconds += 1
        updateScore()
    }
}

// MARK: - UICollectionViewDelegateFlowLayout

extension CupPairsController: UICollectionViewDelegateFlowLayout {
    func collectionView(_ collectionView: UICollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool {
        guard let index = dataSource.itemIdentifier(for: indexPath) else { return false }
        return game.canOpen(index)
    }

    func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {
        collectionView.deselectItem(at: indexPath, animated: true)
        guard let index = dataSource.itemIdentifier(for: indexPath) else { return }
        openCup(at: index)
    }

    func collectionView(
        _ collectionView: UICollectionView,
        layout collectionViewLayout: UICollectionViewLayout,
        sizeForItemAt indexPath: IndexPath
    ) -> CGSize {
        let columns: CGFloat = 3
        let width = (collectionView.bounds.width - 8 * (columns - 1)) / columns
        return CGSize(width: width.rounded(.down), height: width.rounded(.down))
    }
}
