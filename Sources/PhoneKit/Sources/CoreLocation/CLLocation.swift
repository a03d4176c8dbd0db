// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

@_exported public import Foundation

public typealias CLLocationDegrees = Double
public typealias CLLocationDistance = Double
public typealias CLLocationAccuracy = Double
public typealias CLLocationSpeed = Double
public typealias CLLocationDirection = Double

/// A place on earth.
public struct CLLocationCoordinate2D: Sendable {
    public var latitude: CLLocationDegrees
    public var longitude: CLLocationDegrees
    public init() { (latitude, longitude) = (0, 0) }
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        (self.latitude, self.longitude) = (latitude, longitude)
    }
}

public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100

public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees,
    _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D { CLLocationCoordinate2D(latitude: latitude, longitude: longitude) }

public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
    abs(coord.latitude) <= 90 && abs(coord.longitude) <= 180
}

/// A place at a time.
open class CLLocation: NSObject, @unchecked Sendable {
    public let coordinate: CLLocationCoordinate2D
    public let altitude: CLLocationDistance
    public let horizontalAccuracy: CLLocationAccuracy
    public let timestamp: Date
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        coordinate = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
        (altitude, horizontalAccuracy, timestamp) = (0, 0, Date())
    }
    public init(
        coordinate: CLLocationCoordinate2D,
        altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy,
        timestamp: Date
    ) {
        (self.coordinate, self.altitude) = (coordinate, altitude)
        (horizontalAccuracy, self.timestamp) = (hAccuracy, timestamp)
    }

    /// The distance over a sphere in meters.
    open func distance(from location: CLLocation) -> CLLocationDistance {
        let (a, b) = (coordinate, location.coordinate)
        let radians = Double.pi / 180
        let (dLatitude, dLongitude) = ((b.latitude - a.latitude) * radians, (b.longitude - a.longitude) * radians)
        let (sineLatitude, sineLongitude) = (sin(dLatitude / 2), sin(dLongitude / 2))
        let cosines = cos(a.latitude * radians) * cos(b.latitude * radians)
        let h = sineLatitude * sineLatitude + cosines * sineLongitude * sineLongitude
        return 2 * 6_371_000 * asin(min(1, h.squareRoot()))
    }
}
