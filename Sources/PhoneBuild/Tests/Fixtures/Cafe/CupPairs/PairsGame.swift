import Foundation

/// The rules of the game: two cups with the same drink are a pair.
struct PairsGame {
    struct Cup {
        let drink: Drink
        var isOpen = false
        var isFound = false
    }

    enum Outcome: Equatable {
        case first
        case pair
        case miss
    }

    private(set) var cups: [Cup]
    private(set) var attempts = 0
    private var open: [Int] = []

    init(drinks: [Drink]) {
        cups = (drinks + drinks).shuffled().map { Cup(drink: $0) }
    }

    var pairsFound: Int { cups.filter(\.isFound).count / 2 }
    var isOver: Bool { cups.allSatisfy(\.isFound) }

    func canOpen(_ index: Int) -> Bool {
        open.count < 2 && !cups[index].isOpen && !cups[index].isFound
    }

    mutating func openCup(at index: Int) -> Outcome {
        cups[index].isOpen = true
        open.append(index)
        guard open.count == 2 else { return .first }
        attempts += 1
        guard cups[open[0]].drink == cups[open[1]].drink else { return .miss }
        for index in open {
            cups[index].isFound = true
        }
        open = []
        return .pair
    }

    mutating func closeMiss() {
        for index in open {
            cups[index].isOpen = false
        }
        open = []
    }
}
