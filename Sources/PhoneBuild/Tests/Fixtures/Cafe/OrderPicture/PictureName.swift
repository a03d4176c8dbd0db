import Foundation

/// The name of the picture of an order.
struct PictureName {
    let file: String

    init(of title: String) { file = "\(title.lowercased()).png" }
}
