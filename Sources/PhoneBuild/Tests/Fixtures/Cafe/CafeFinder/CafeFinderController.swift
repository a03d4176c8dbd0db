import CafeKit
import MapKit
import UIKit
import UserNotifications
import UserNotificationsUI

/// Shows the cafés around; an action goes to the next one.
final class CafeFinderController: UIViewController, UNNotificationContentExtension {
    private static let next = "NEXT"

    private let records = GuestRecords()
    private let mapView = MKMapView()
    private let nameLabel = UILabel()
    private var places: [Place] = []
    private var index = 0

    override func loadView() {
        let stack = UIStackView(arrangedSubviews: [mapView, nameLabel])
        stack.axis = .vertical
        stack.spacing = 8
        view = stack
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        nameLabel.font = .preferredFont(forTextStyle: .headline)
        nameLabel.numberOfLines = 0
        mapView.delegate = self
        mapView.isScrollEnabled = false
        mapView.accessibilityLabel = "Cafés around you"
        mapView.register(
            MKMarkerAnnotationView.self,
            forAnnotationViewWithReuseIdentifier: MKMapViewDefaultAnnotationViewReuseIdentifier
        )
        mapView.heightAnchor.constraint(equalTo: mapView.widthAnchor, multiplier: 0.6).isActive = true
    }

    func didReceive(_ notification: UNNotification) {
        places = Place.list(in: notification.request.content.userInfo)
        index = 0
        mapView.removeAnnotations(mapView.annotations)
        mapView.addAnnotations(places.map(\.annotation))
        mapView.isHidden = places.isEmpty
        extensionContext?.notificationActions =
            places.count > 1 ? [UNNotificationAction(identifier: Self.next, title: "Next café")] : []
        showPlace()
    }

    func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        guard response.actionIdentifier == Self.next, !places.isEmpty else {
            completion(.dismissAndForwardAction)
            return
        }
        index = (index + 1) % places.count
        showPlace()
        records.logEvent("cafe_viewed", properties: ["name": places[index].name])
        completion(.doNotDismiss)
    }

    private func showPlace() {
        guard !places.isEmpty else {
            nameLabel.text = "No café is open now."
            return
        }
        let place = places[index]
        nameLabel.text = place.name
        mapView.setRegion(
            MKCoordinateRegion(center: place.coordinate, latitudinalMeters: 1_500, longitudinalMeters: 1_500),
            animated: true
        )
        if let annotation = mapView.annotations.first(where: { $0.title == place.name }) {
            mapView.selectAnnotation(annotation, animated: true)
        }
    }
}

extension CafeFinderController: MKMapViewDelegate {
    func mapView(_ mapView: MKMapView, viewFor annotation: any MKAnnotation) -> MKAnnotationView? {
        let view = mapView.dequeueReusableAnnotationView(
            withIdentifier: MKMapViewDefaultAnnotationViewReuseIdentifier,
            for: annotation
        )
        (view as? MKMarkerAnnotationView)?.markerTintColor = .systemBrown
        return view
    }
}
