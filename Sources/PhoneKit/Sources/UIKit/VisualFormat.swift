import Foundation

extension NSLayoutConstraint {
    /// Constraints of Apple's visual format, such as `V:|-[title]-8-[button]-|`.
    ///
    /// The views keep the order in which the format names them; distances and sizes are not read, since nothing is
    /// laid out.
    public class func constraints(
        withVisualFormat format: String,
        options opts: FormatOptions = [],
        metrics: [String: Any]?,
        views: [String: Any]
    ) -> [NSLayoutConstraint] {
        let isVertical = format.hasPrefix("V:")
        let (before, after): (Attribute, Attribute) = isVertical ? (.top, .bottom) : (.leading, .trailing)
        var constraints: [NSLayoutConstraint] = []
        var previous: UIView?
        for name in names(format) {
            guard let view = views[name] as? UIView else {
                fatalError(
                    "Unable to parse constraint format \"\(format)\": \(name) is not a key in the views dictionary"
                )
            }
            if let previous {
                let constraint = NSLayoutConstraint(
                    item: view,
                    attribute: before,
                    relatedBy: .equal,
                    toItem: previous,
                    attribute: after,
                    multiplier: 1,
                    constant: 0
                )
                constraints.append(constraint)
            }
            previous = view
        }
        return constraints
    }

    /// The names of views in brackets, without sizes in parentheses.
    private class func names(_ format: String) -> [String] {
        format.split(separator: "[").dropFirst().map { part in
            String(part.prefix { $0 != "]" && $0 != "(" }).trimmingCharacters(in: .whitespaces)
        }
    }
}
