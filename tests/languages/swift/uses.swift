import SwiftUI // => import SwiftUI:*

struct Row: View { // => def struct Row; base *.View
    @State private var isOn = false // => read *.State
    @ObservedObject var model: RowModel // => read *.ObservedObject; type *.RowModel
    @Environment(\.dismiss) var dismiss // => call *.Environment
    let action: () -> Void

    var body: some View { // => def method Row.body; type *.View
        VStack(spacing: 2) { // => call *.VStack; effect ui SwiftUI.VStack
            RowTitle(text: model.title) // => call *.RowTitle; read *.RowModel().title
                .padding() // => call *.RowTitle().padding
                .background( // => call *.RowTitle().padding().background
                    .red
                )
            Button { // => call *.Button; effect ui SwiftUI.Button
                model.reload() // => call *.RowModel().reload
            } label: {
                Icon() // => call *.Icon
            }
            .onTap { isOn = true } // => call *.Button().onTap; write Row.isOn
            Toggle("On", isOn: $isOn) // => call *.Toggle; effect ui SwiftUI.Toggle
        }
        header // => read Row.header
    }

    private var header: some View { // => def method Row.header; type *.View
        Text("\(model.count)") // => call *.Text; effect ui SwiftUI.Text; read *.RowModel().count
    }
}

func load(_ names: [String], store: Store?) async throws -> Result<Page, Error> { // => def function load; type *.String; type *.Store; type *.Result; type *.Page; type *.Error
    guard let store = store else { return .failure(Missing()) } // => call *.Missing
    if let page = store.cached, let other = try? await store.fetch(1) { // => read *.Store().cached; call *.Store().fetch
        page.show() // => call *.Store().cached.show
        other.show() // => call *.Store().fetch().show
    }
    for name in names where name.isEmpty { // => read *.String().isEmpty
        name.run() // => call *.String().run
    }
    for (key, value) in table { // => read *.table
        key.run(value)
    }
    while let next = queue.pop() { // => call *.queue.pop
        next.run() // => call *.queue.pop().run
    }
    if case .some(let inner) = outer { // => read *.outer
        inner.run()
    }
    if let view = thing as? Panel { // => read *.thing; type *.Panel
        view.show() // => call *.Panel().show
    }
    names.map { $0.count }.filter { length in length > limit } // => read *.limit
    names.forEach { [weak store] (name: String) -> Void in
        store?.keep(name) // => call *.Store().keep
    }
    let (left, right) = split() // => call *.split
    left.join(right)
    let box: Box = make() // => type *.Box; call *.make
    box.lid!.close() // => call *.Box().lid.close
    let crate = Crate<Page>(1) // => call *.Crate
    crate.open(); crate.lid = nil // => call *.Crate().open; write *.Crate().lid
    do {
        try store.save() // => call *.Store().save
    } catch let failure as SaveError { // => read *.SaveError
        failure.report()
    } catch {
        error.log()
    }
    let total = names.count + base // => read *.base
    func helper(limit: Int) -> Int { limit } // => def function load.helper; type *.Int
    return .success(helper(limit: total)) // => call load.helper
}

struct Named { // => def struct Named
    let page: Page // => type *.Page
    var title: Title { page.title } // => def method Named.title; type *.Title; read *.Page().title
    func print() { // => def method Named.print
        title.draw() // => call *.Title().draw
    }
}
