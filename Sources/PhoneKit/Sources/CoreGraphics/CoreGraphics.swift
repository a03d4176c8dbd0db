// Its types are in UIKit, which most files import too.
@_exported public import UIKit
