// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes. A file has them if it imports MapKit and SwiftUI.

@_exported public import MapKit
public import SwiftUI

/// A map and the places on it.
public struct Map<Content: View>: View {
    private let region: MKCoordinateRegion?
    private let places: [MKPointAnnotation]

    public var body: some View { Chart(region: region, places: places) }
}

extension Map {
    public init(
        coordinateRegion: Binding<MKCoordinateRegion>,
        interactionModes: MapInteractionModes = .all,
        showsUserLocation: Bool = false
    ) where Content == _DefaultMapContent { (region, places) = (coordinateRegion.wrappedValue, []) }

    public init<Items: RandomAccessCollection, Annotation: MapAnnotationProtocol>(
        coordinateRegion: Binding<MKCoordinateRegion>,
        interactionModes: MapInteractionModes = .all,
        showsUserLocation: Bool = false,
        annotationItems: Items,
        annotationContent: (Items.Element) -> Annotation
    ) where Content == _DefaultAnnotatedMapContent<Items>, Items.Element: Identifiable {
        region = coordinateRegion.wrappedValue
        places = annotationItems.map { MKPointAnnotation(coordinate: annotationContent($0)._coordinate) }
    }

    public init<C: MapContent>(
        initialPosition: MapCameraPosition = .automatic,
        interactionModes: MapInteractionModes = .all,
        @MapContentBuilder content: () -> C
    ) where Content == MapContentView<Never, C> { (region, places) = (initialPosition.region, content()._places) }

    public init<C: MapContent>(
        position: Binding<MapCameraPosition>,
        interactionModes: MapInteractionModes = .all,
        @MapContentBuilder content: () -> C
    ) where Content == MapContentView<Never, C> { (region, places) = (position.wrappedValue.region, content()._places) }
}

public struct MapInteractionModes: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let pan = MapInteractionModes(rawValue: 1)
    public static let zoom = MapInteractionModes(rawValue: 2)
    public static let rotate = MapInteractionModes(rawValue: 4)
    public static let pitch = MapInteractionModes(rawValue: 8)
    public static let all: MapInteractionModes = [.pan, .zoom, .rotate, .pitch]
}

/// What part of a map is seen.
public struct MapCameraPosition: Sendable {
    public let region: MKCoordinateRegion?
    public static let automatic = MapCameraPosition(region: nil)
    public static func region(_ region: MKCoordinateRegion) -> MapCameraPosition { MapCameraPosition(region: region) }
    private init(region: MKCoordinateRegion?) { self.region = region }
}

// MARK: Places of iOS 14

/// A place on a map.
@MainActor @preconcurrency
public protocol MapAnnotationProtocol {
    var _coordinate: CLLocationCoordinate2D { get }
}

public struct MapMarker: MapAnnotationProtocol {
    public let _coordinate: CLLocationCoordinate2D
    public init(coordinate: CLLocationCoordinate2D, tint: Color? = nil) { _coordinate = coordinate }
}

public struct MapPin: MapAnnotationProtocol {
    public let _coordinate: CLLocationCoordinate2D
    public init(coordinate: CLLocationCoordinate2D, tint: Color? = nil) { _coordinate = coordinate }
}

public struct MapAnnotation<Content: View>: MapAnnotationProtocol {
    public let _coordinate: CLLocationCoordinate2D
    public init(
        coordinate: CLLocationCoordinate2D,
        anchorPoint: CGPoint = CGPoint(x: 0.5, y: 0.5),
        @ViewBuilder content: () -> Content
    ) { _coordinate = coordinate }
}

// MARK: Places of iOS 17

/// What is on a map.
@MainActor @preconcurrency
public protocol MapContent {
    var _places: [MKPointAnnotation] { get }
}

public struct Marker<Label: View>: MapContent {
    public let _places: [MKPointAnnotation]
    private init(_ title: String, _ coordinate: CLLocationCoordinate2D) {
        _places = [MKPointAnnotation(coordinate: coordinate, title: title, subtitle: nil)]
    }
}

extension Marker where Label == Text {
    public init(_ title: some StringProtocol, coordinate: CLLocationCoordinate2D) {
        self.init(String(title), coordinate)
    }
}

extension Marker where Label == SwiftUI.Label<Text, Image> {
    public init(_ title: some StringProtocol, systemImage: String, coordinate: CLLocationCoordinate2D) {
        self.init(String(title), coordinate)
    }
}

/// A place with a view, whose title stands for it.
public struct Annotation<Label: View, Content: View>: MapContent {
    public let _places: [MKPointAnnotation]
}

extension Annotation where Label == Text {
    public init(
        _ title: some StringProtocol,
        coordinate: CLLocationCoordinate2D,
        anchor: UnitPoint = .center,
        @ViewBuilder content: () -> Content
    ) { _places = [MKPointAnnotation(coordinate: coordinate, title: String(title), subtitle: nil)] }
}

extension ForEach: MapContent where Content: MapContent {
    public init(_ data: Data, @MapContentBuilder content: @escaping (Data.Element) -> Content)
    where Data.Element: Identifiable, ID == Data.Element.ID {
        self.init(data, id: { $0.id }, content: content)
    }
    public var _places: [MKPointAnnotation] { data.flatMap { content($0)._places } }
}

@MainActor @preconcurrency
@resultBuilder
public struct MapContentBuilder {
    public static func buildBlock(_ content: any MapContent...) -> _MapPlaces { _MapPlaces(content.flatMap(\._places)) }
    public static func buildOptional(_ content: _MapPlaces?) -> _MapPlaces { content ?? _MapPlaces([]) }
    public static func buildEither(first: _MapPlaces) -> _MapPlaces { first }
    public static func buildEither(second: _MapPlaces) -> _MapPlaces { second }
}

public struct _MapPlaces: MapContent {
    public let _places: [MKPointAnnotation]
    init(_ places: [MKPointAnnotation]) { _places = places }
}

// MARK: Views

public struct _DefaultMapContent: View {
    public var body: some View { EmptyView() }
}

public struct _DefaultAnnotatedMapContent<Items: RandomAccessCollection>: View {
    public var body: some View { EmptyView() }
}

public struct MapContentView<SelectionValue: Hashable, C: MapContent>: View {
    public var body: some View { EmptyView() }
}

private struct Chart: UIViewRepresentable {
    let region: MKCoordinateRegion?
    let places: [MKPointAnnotation]

    typealias Context = UIViewRepresentableContext<Self>

    func makeUIView(context: Context) -> MKMapView { MKMapView(frame: .zero) }

    func updateUIView(_ map: MKMapView, context: Context) {
        map.removeAnnotations(map.annotations)
        map.showAnnotations(places, animated: false)
        if let region { map.region = region }
    }
}
