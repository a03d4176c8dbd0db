// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import PhoneRuntime

/// An image: of a file, of data, of an asset catalog, or a symbol of the system.
open class UIImage: NSObject, NSCopying, @unchecked Sendable {
    /// Where the picture comes from.
    enum Source: Equatable {
        case file(URL)
        case data(Data)
        case symbol(String)
        /// Drawn by the extension, which leaves no picture here.
        case drawn
    }

    public enum Orientation: Int, Sendable {
        case up, down, left, right, upMirrored, downMirrored, leftMirrored, rightMirrored
    }

    public enum RenderingMode: Int, Sendable {
        case automatic, alwaysOriginal, alwaysTemplate
    }

    public enum ResizingMode: Int, Sendable {
        case tile, stretch
    }

    let source: Source
    /// The name under which it was found.
    let name: String?
    public let scale: CGFloat
    public let size: CGSize
    /// The images of an animation.
    public let images: [UIImage]?
    public let duration: TimeInterval
    /// What the image shows, for people who cannot see it.
    open var accessibilityLabel: String?
    open var accessibilityIdentifier: String?

    init(
        _ source: Source,
        name: String? = nil,
        size: CGSize? = nil,
        scale: CGFloat = 1,
        images: [UIImage]? = nil,
        duration: TimeInterval = 0
    ) {
        (self.source, self.name, self.scale, self.images, self.duration) = (source, name, scale, images, duration)
        self.size =
            size ?? ImageHeader.size(of: source).map { CGSize(width: $0.width / scale, height: $0.height / scale) }
            ?? .zero
    }

    private convenience init(copying image: UIImage) {
        self.init(
            image.source,
            name: image.name,
            size: image.size,
            scale: image.scale,
            images: image.images,
            duration: image.duration
        )
        accessibilityLabel = image.accessibilityLabel
    }

    /// An image that a client loads from its URL.
    package convenience init(remote url: URL) { self.init(.file(url)) }

    /// An image without a picture.
    public override convenience init() { self.init(.drawn, size: .zero) }

    public convenience init?(named name: String) { self.init(named: name, in: nil, compatibleWith: nil) }

    public convenience init?(named name: String, in bundle: Bundle?, compatibleWith traits: UITraitCollection?) {
        guard let url = AssetCatalog(bundle ?? .main).image(named: name) else { return nil }
        self.init(.file(url), name: name)
    }

    public convenience init?(named name: String, in bundle: Bundle?, with configuration: Configuration?) {
        self.init(named: name, in: bundle, compatibleWith: nil)
    }

    public convenience init?(systemName name: String) {
        guard !name.isEmpty else { return nil }
        self.init(.symbol(name), name: name, size: CGSize(width: 20, height: 20))
    }

    public convenience init?(systemName name: String, withConfiguration configuration: Configuration?) {
        self.init(systemName: name)
    }

    public convenience init?(
        systemName name: String,
        variableValue value: Double,
        configuration: Configuration? = nil
    ) { self.init(systemName: name) }

    public convenience init?(contentsOfFile path: String) {
        let url = URL(fileURLWithPath: path)
        guard let head = try? FileHandle(forReadingFrom: url).read(upToCount: 64), ImageHeader.isImage(head) else {
            return nil
        }
        self.init(.file(url))
    }

    public convenience init?(data: Data) { self.init(data: data, scale: 1) }

    public convenience init?(data: Data, scale: CGFloat) {
        guard ImageHeader.isImage(data) else { return nil }
        self.init(.data(data), scale: scale)
    }

    /// What `#imageLiteral` makes.
    public required convenience init(imageLiteralResourceName name: String) {
        guard let url = AssetCatalog.main.image(named: name) else { fatalError("there is no image named \(name)") }
        self.init(.file(url), name: name)
    }

    public convenience init(cgImage: CGImage) { self.init(copying: cgImage.image) }
    public convenience init(cgImage: CGImage, scale: CGFloat, orientation: Orientation) {
        self.init(copying: cgImage.image)
    }

    open class func animatedImage(with images: [UIImage], duration: TimeInterval) -> UIImage? {
        guard let first = images.first else { return nil }
        return UIImage(first.source, name: first.name, size: first.size, images: images, duration: duration)
    }

    open var cgImage: CGImage? { CGImage(self) }
    open var imageOrientation: Orientation { .up }
    open var renderingMode: RenderingMode { .automatic }
    /// What stands for a symbol; nil for any other image.
    package var symbolText: String? { if case .symbol(let name) = source { SymbolText.text(name) } else { nil } }
    open var isSymbolImage: Bool { if case .symbol = source { true } else { false } }
    open var configuration: Configuration? { nil }

    open func withRenderingMode(_ renderingMode: RenderingMode) -> UIImage { self }
    open func withTintColor(_ color: UIColor) -> UIImage { self }
    open func withTintColor(_ color: UIColor, renderingMode: RenderingMode) -> UIImage { self }
    open func withConfiguration(_ configuration: Configuration) -> UIImage { self }
    open func applyingSymbolConfiguration(_ configuration: SymbolConfiguration) -> UIImage? { self }
    open func imageFlippedForRightToLeftLayoutDirection() -> UIImage { self }
    open func withHorizontallyFlippedOrientation() -> UIImage { self }
    open var flipsForRightToLeftLayoutDirection: Bool { false }
    open var capInsets: UIEdgeInsets { .zero }
    open var alignmentRectInsets: UIEdgeInsets { .zero }
    open var traitCollection: UITraitCollection { .current }
    open func preparingForDisplay() -> UIImage? { self }
    open func prepareForDisplay(completionHandler: @escaping @Sendable (UIImage?) -> Void) { completionHandler(self) }
    open func byPreparingForDisplay() async -> UIImage? { self }
    open func preparingThumbnail(of size: CGSize) -> UIImage? { self }
    open func prepareThumbnail(of size: CGSize, completionHandler: @escaping @Sendable (UIImage?) -> Void) {
        completionHandler(self)
    }
    open func byPreparingThumbnail(ofSize size: CGSize) async -> UIImage? { self }
    open func draw(in rect: CGRect, blendMode: CGBlendMode, alpha: CGFloat) {}
    open func draw(at point: CGPoint, blendMode: CGBlendMode, alpha: CGFloat) {}
    open func drawAsPattern(in rect: CGRect) {}
    open class func animatedImageNamed(_ name: String, duration: TimeInterval) -> UIImage? {
        let images = (0..<1_024).lazy.map { UIImage(named: "\(name)\($0)") }.prefix { $0 != nil }.compactMap { $0 }
        return animatedImage(with: Array(images), duration: duration)
    }
    open func withAlignmentRectInsets(_ alignmentInsets: UIEdgeInsets) -> UIImage { self }
    open func resizableImage(withCapInsets capInsets: UIEdgeInsets) -> UIImage { self }
    open func resizableImage(withCapInsets capInsets: UIEdgeInsets, resizingMode: ResizingMode) -> UIImage { self }
    /// Leaves out the drawing in the current graphics context, which has no picture here.
    open func draw(in rect: CGRect) {}
    open func draw(at point: CGPoint) {}

    /// The bytes of the image's file, whatever their format: nothing is encoded again.
    open func pngData() -> Data? { bytes }
    open func jpegData(compressionQuality: CGFloat) -> Data? { bytes }

    private var bytes: Data? {
        switch source {
        case .file(let url): try? Data(contentsOf: url)
        case .data(let data): data
        case .symbol, .drawn: nil
        }
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UIImage else { return false }
        return self === other || source != .drawn && source == other.source
    }
    open override var hash: Int { size.width.hashValue ^ size.height.hashValue }

    // MARK: Configurations

    /// How an image is chosen and drawn; it has no effect off a screen.
    open class Configuration: NSObject, @unchecked Sendable {}

    /// How a symbol is drawn.
    open class SymbolConfiguration: Configuration, @unchecked Sendable {
        public convenience init(pointSize: CGFloat) { self.init() }
        public convenience init(pointSize: CGFloat, weight: UIImage.SymbolWeight) { self.init() }
        public convenience init(pointSize: CGFloat, weight: UIImage.SymbolWeight, scale: UIImage.SymbolScale) {
            self.init()
        }
        public convenience init(textStyle: UIFont.TextStyle) { self.init() }
        public convenience init(textStyle: UIFont.TextStyle, scale: UIImage.SymbolScale) { self.init() }
        public convenience init(weight: UIImage.SymbolWeight) { self.init() }
        public convenience init(scale: UIImage.SymbolScale) { self.init() }
        public convenience init(font: UIFont) { self.init() }
        public convenience init(hierarchicalColor: UIColor) { self.init() }
        public convenience init(paletteColors: [UIColor]) { self.init() }
        public convenience init(font: UIFont, scale: UIImage.SymbolScale) { self.init() }
        open class var unspecified: UIImage.SymbolConfiguration { UIImage.SymbolConfiguration() }
        open class func preferringMulticolor() -> Self { unsafeDowncast(UIImage.SymbolConfiguration(), to: Self.self) }
        open class func preferringMonochrome() -> Self { unsafeDowncast(UIImage.SymbolConfiguration(), to: Self.self) }
        open func applying(_ other: SymbolConfiguration?) -> Self { self }
    }

    public enum SymbolWeight: Int, Sendable {
        case unspecified, ultraLight, thin, light, regular, medium, semibold, bold, heavy, black
    }

    public enum SymbolScale: Int, Sendable {
        case `default` = -1
        case unspecified, small, medium, large
    }
}

extension UIImage: _ExpressibleByImageLiteral {}

/// An image of Core Graphics: the same picture.
public final class CGImage: @unchecked Sendable {
    let image: UIImage
    init(_ image: UIImage) { self.image = image }
    public var width: Int { Int(image.size.width * image.scale) }
    public var height: Int { Int(image.size.height * image.scale) }
    /// The same picture: no pixels are cut here.
    public func cropping(to rect: CGRect) -> CGImage? { self }
    public func copy() -> CGImage? { self }
}
