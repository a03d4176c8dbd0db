import CoreLocation
import Foundation
import MapKit

/// A café on the map.
struct Place: Decodable {
    let name: String
    let latitude: CLLocationDegrees
    let longitude: CLLocationDegrees

    var coordinate: CLLocationCoordinate2D { CLLocationCoordinate2D(latitude: latitude, longitude: longitude) }

    @MainActor
    var annotation: MKPointAnnotation {
        let annotation = MKPointAnnotation()
        annotation.coordinate = coordinate
        annotation.title = name
        return annotation
    }

    /// The cafés that a notification names, as the text of a JSON array.
    static func list(in userInfo: [AnyHashable: Any]) -> [Place] {
        guard let text = userInfo["places"] as? String else { return [] }
        let places = (try? JSONDecoder().decode([Place].self, from: Data(text.utf8))) ?? []
        return places.filter { CLLocationCoordinate2DIsValid($0.coordinate) }
    }
}
