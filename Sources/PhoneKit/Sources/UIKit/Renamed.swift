// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Names that Swift has renamed since its first versions: the compiler says the new one and offers to replace it.

public import Foundation

@available(*, unavailable, renamed: "UIImage.pngData(self:)")
public func UIImagePNGRepresentation(_ image: UIImage) -> Data? { fatalError() }
@available(*, unavailable, renamed: "UIImage.jpegData(self:compressionQuality:)")
public func UIImageJPEGRepresentation(_ image: UIImage, _ compressionQuality: CGFloat) -> Data? { fatalError() }

@available(*, unavailable, renamed: "NSAttributedString.Key.font")
public let NSFontAttributeName = "NSFont"
@available(*, unavailable, renamed: "NSAttributedString.Key.foregroundColor")
public let NSForegroundColorAttributeName = "NSColor"
@available(*, unavailable, renamed: "NSAttributedString.Key.paragraphStyle")
public let NSParagraphStyleAttributeName = "NSParagraphStyle"
@available(*, unavailable, renamed: "NSAttributedString.Key.underlineStyle")
public let NSUnderlineStyleAttributeName = "NSUnderline"
@available(*, unavailable, renamed: "CAMediaTimingFunctionName.linear")
public let kCAMediaTimingFunctionLinear = "linear"
@available(*, unavailable, renamed: "CAMediaTimingFunctionName.easeIn")
public let kCAMediaTimingFunctionEaseIn = "easeIn"
@available(*, unavailable, renamed: "CAMediaTimingFunctionName.easeOut")
public let kCAMediaTimingFunctionEaseOut = "easeOut"
@available(*, unavailable, renamed: "CAMediaTimingFunctionName.easeInEaseOut")
public let kCAMediaTimingFunctionEaseInEaseOut = "easeInEaseOut"
@available(*, unavailable, renamed: "UIView.AnimationOptions")
public typealias UIViewAnimationOptions = UIView.AnimationOptions
@available(*, unavailable, renamed: "UIControl.State")
public typealias UIControlState = UIControl.State
@available(*, unavailable, renamed: "UIControl.Event")
public typealias UIControlEvents = UIControl.Event
@available(*, unavailable, renamed: "NSLayoutConstraint.Axis")
public typealias UILayoutConstraintAxis = NSLayoutConstraint.Axis
@available(*, unavailable, renamed: "UIFont.TextStyle")
public typealias UIFontTextStyle = UIFont.TextStyle
@available(*, unavailable, renamed: "UITableView.automaticDimension")
public let UITableViewAutomaticDimension = CGFloat(-1)
@available(*, unavailable, renamed: "UIActivityIndicatorView.Style")
public typealias UIActivityIndicatorViewStyle = UIActivityIndicatorView.Style
@available(*, unavailable, renamed: "NSAttributedString.Key")
public typealias NSAttributedStringKey = NSAttributedString.Key

@available(*, unavailable, renamed: "UIEdgeInsets.init(top:left:bottom:right:)")
public func UIEdgeInsetsMake(_ top: CGFloat, _ left: CGFloat, _ bottom: CGFloat, _ right: CGFloat) -> UIEdgeInsets {
    .zero
}
@available(*, unavailable, renamed: "CGRect.init(x:y:width:height:)")
public func CGRectMake(_ x: CGFloat, _ y: CGFloat, _ width: CGFloat, _ height: CGFloat) -> CGRect { .zero }
@available(*, unavailable, renamed: "CGSize.init(width:height:)")
public func CGSizeMake(_ width: CGFloat, _ height: CGFloat) -> CGSize { .zero }
@available(*, unavailable, renamed: "CGPoint.init(x:y:)")
public func CGPointMake(_ x: CGFloat, _ y: CGFloat) -> CGPoint { .zero }
