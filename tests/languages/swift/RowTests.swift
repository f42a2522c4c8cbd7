import XCTest // => import XCTest:*
import Testing // => import Testing:*
@testable import Shop // => import Shop:*

/// Rows are drawn.
final class RowTests: XCTestCase { // => def class RowTests; base *.XCTestCase
    var row: Row! // => type *.Row

    override func setUp() { row = Row() } // => def method RowTests.setUp; call *.Row; write RowTests.row

    func testDraws() throws { // => def method RowTests.testDraws
        XCTAssertEqual(row.draw(), 1) // => call *.XCTAssertEqual; call *.Row().draw
    }
}

@Suite struct Rows { // => def struct Rows; read *.Suite
    @Test("adds up", arguments: [1, 2]) // => def method Rows.adds; call *.Test
    func adds(_ count: Int) { // => type *.Int
        #expect(sum(count) == 1) // => call *.expect; call *.sum
    }
}
