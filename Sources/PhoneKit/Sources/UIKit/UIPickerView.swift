// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import PhoneRuntime

@preconcurrency @MainActor
public protocol UIPickerViewDataSource: NSObjectProtocol {
    func numberOfComponents(in pickerView: UIPickerView) -> Int
    func pickerView(_ pickerView: UIPickerView, numberOfRowsInComponent component: Int) -> Int
}

@preconcurrency @MainActor
public protocol UIPickerViewDelegate: NSObjectProtocol {
    func pickerView(_ pickerView: UIPickerView, titleForRow row: Int, forComponent component: Int) -> String?
    func pickerView(
        _ pickerView: UIPickerView,
        attributedTitleForRow row: Int,
        forComponent component: Int
    ) -> NSAttributedString?
    func pickerView(_ pickerView: UIPickerView, didSelectRow row: Int, inComponent component: Int)
    func pickerView(_ pickerView: UIPickerView, rowHeightForComponent component: Int) -> CGFloat
}

extension UIPickerViewDelegate {
    public func pickerView(_ pickerView: UIPickerView, titleForRow row: Int, forComponent component: Int) -> String? {
        nil
    }
    public func pickerView(
        _ pickerView: UIPickerView,
        attributedTitleForRow row: Int,
        forComponent component: Int
    ) -> NSAttributedString? { nil }
    public func pickerView(_ pickerView: UIPickerView, didSelectRow row: Int, inComponent component: Int) {}
    public func pickerView(_ pickerView: UIPickerView, rowHeightForComponent component: Int) -> CGFloat { 32 }
}

/// Wheels of choices: for each a row of buttons, of which one is selected.
@preconcurrency @MainActor
open class UIPickerView: UIView {
    open weak var dataSource: (any UIPickerViewDataSource)? { didSet { reloadAllComponents() } }
    open weak var delegate: (any UIPickerViewDelegate)? { didSet { changed() } }
    private var selected: [Int: Int] = [:] { didSet { changed() } }

    open var numberOfComponents: Int { dataSource?.numberOfComponents(in: self) ?? 0 }
    open func numberOfRows(inComponent component: Int) -> Int {
        dataSource?.pickerView(self, numberOfRowsInComponent: component) ?? 0
    }
    open func reloadAllComponents() { changed() }
    open func reloadComponent(_ component: Int) { changed() }
    open func selectRow(_ row: Int, inComponent component: Int, animated: Bool) { selected[component] = row }
    open func selectedRow(inComponent component: Int) -> Int {
        numberOfRows(inComponent: component) > 0 ? selected[component] ?? 0 : -1
    }

    override func node(_ drawing: Drawing) -> Node? {
        let id = drawing.id(of: self, "picker")
        let rows = (0..<numberOfComponents).compactMap { component -> Node? in
            let buttons = (0..<numberOfRows(inComponent: component)).map { row in
                let button = numberOfComponents > 1 ? "\(id)-\(component + 1)-\(row + 1)" : "\(id)-\(row + 1)"
                drawing.react(button, self) { [unowned self] _ in
                    selected[component] = row
                    delegate?.pickerView(self, didSelectRow: row, inComponent: component)
                }
                let isSelected = row == selectedRow(inComponent: component)
                let title =
                    delegate?.pickerView(self, titleForRow: row, forComponent: component)
                    ?? delegate?.pickerView(self, attributedTitleForRow: row, forComponent: component)?.string
                return drawing.button(
                    (isSelected ? "✓ " : "") + (title ?? "\(row + 1)"),
                    id: button,
                    isSelected: isSelected
                )
            }
            return drawing.list(buttons, isRow: true)
        }
        return drawing.list(rows, isRow: false)
    }
}
