/// Keeps what a shop sells.
import Foundation // => import Foundation:*
@testable import ShopCore // => import ShopCore:*
import struct Geometry.Point // => import Geometry:Point
@preconcurrency public import class Media.Player // => import Media:Player

/// A thing that can be sold. It has a price.
public protocol Sellable: AnyObject { // => def interface Sellable
    associatedtype Money
    var price: Money { get }
    func sell(to buyer: Buyer) -> Receipt // => def method Sellable.sell; type *.Buyer; type *.Receipt
}

final class Shelf<Item: Hashable>: Storage, Sellable where Item: Codable { // => def class Shelf; base *.Storage; base Sellable; type *.Hashable; type *.Codable
    private var items: [Item] = []
    let place: Point // => type Geometry:Point
    lazy var player = Player() // => call Media:Player
    static let shared = Shelf() // => call Shelf
    var count: Int { items.count } // => def method Shelf.count; type *.Int; read Shelf.items.count
    var limit = 3 {
        didSet { check(oldValue) } // => call Shelf.check
    }

    init(place: Point, name: String = "shelf") { // => def method Shelf.init; type Geometry:Point; type *.String
        self.place = place // => write Shelf.place
        limit = 4 // => write Shelf.limit
        super.init() // => call Shelf.<super>.init
    }

    deinit { close() } // => def method Shelf.deinit; call *.close

    subscript(index: Int) -> Item { items[index] } // => def method Shelf.subscript; type *.Int

    static func == (left: Shelf, right: Shelf) -> Bool { true } // => def method Shelf.==; type Shelf; type *.Bool

    private func check(_ old: Int) { // => def method Shelf.check; type *.Int
        count.description.trim() // => call *.Int().description.trim
        place.move() // => call Geometry:Point().move
        player.play() // => call Media:Player().play
        Self.shared.add() // => call Shelf.add; read Shelf.shared
    }

    func add<Other: Sellable>(_ other: Other) -> Self { // => def method Shelf.add; type Sellable; type Shelf
        return self
    }
}

enum Colour: String, CaseIterable { // => def enum Colour; base *.String; base *.CaseIterable
    case red, green = "g" // => def variable Colour.red; def variable Colour.green
    case mixed(Colour, share: Double) // => def variable Colour.mixed; type Colour; type *.Double

    var next: Colour { // => def method Colour.next; type Colour
        switch self {
        case .red: return .green
        case .mixed(let one, _): return one.next
        case let other: return other
        }
    }
}

extension Shelf: CustomStringConvertible { // => def extension Shelf; base *.CustomStringConvertible
    var description: String { "\(count) of \(limit), \(unknown.name)" } // => def method Shelf.description; type *.String; read Shelf.count; read *.unknown.name
}

extension Geometry.Line { // => def extension Geometry.Line; read *.Geometry.Line
    func length() -> Double { start.distance(to: end) } // => def method Geometry.Line.length; type *.Double; call *.start.distance; read *.end
}

actor Till { // => def class Till
    var total = 0
    func take(_ amount: Int) { total += amount } // => def method Till.take; type *.Int; write Till.total
}

struct Pair<T> { // => def struct Pair
    var first: T
}

typealias Handler = (Colour) -> Void // => def type Handler; type Colour
typealias Stand = ShopCore.Shelf // => def type Stand; type *.ShopCore.Shelf
let limit = 10, house = House() // => def variable limit; def variable house; call *.House
#if DEBUG
func trace() { house.open(limit) } // => def function trace; call *.House().open; read house; read limit
#endif

prefix func ! (shelf: Shelf) -> Bool { false } // => def function !; type Shelf; type *.Bool
