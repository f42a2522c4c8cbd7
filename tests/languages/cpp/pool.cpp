#include "pool.hpp" // => import "pool.hpp":*
#include <fstream> // => import <fstream>:*

namespace fs = std::filesystem; // => import std::filesystem as fs
using namespace app; // => import app:*
using net::Conn; // => import net:Conn

namespace {
struct Local { int n; }; // => def struct Local; def variable Local.n
int helper(int n) { return n; } // => def function helper
}

Pool::~Pool() { used_ = 0; } // => def method Pool.~Pool; write *.used_

bool Pool::open(const std::string& url, Mode mode) { // => def method Pool.open; read *.Mode
    std::ifstream in(url); // => effect file_io std.ifstream
    auto conn = std::make_unique<Conn>(url); // => read net:Conn
    conn->send(helper(1)); // => call net:Conn().send; call helper
    if (auto* old = dynamic_cast<Conn*>(first_)) { // => read *.first_
        old->close();
    }
    for (const auto& item : items()) { // => call *.items
        item.helper(); // => call *.items()[].helper
    }
    auto [a, b] = split(url); // => call *.split
    auto done = [&](int n) { return helper(a + b + n); }; //
    ::open(url.c_str(), 0); // => call *.::open; effect file_io open
    this->log_->write("x"); // => call *.Pool().log_.write
    log_->write("y"); // => call *.log_.write
    net::Conn spare(url, 1); // => call *.net.Conn
    spare.retry(); // => call *.net.Conn().retry
    return fs::exists(url) && done(2) && mode == Mode::Slow; // => call std::filesystem.exists; effect file_io std.filesystem.exists; read *.Mode.Slow
}

void close(std::vector<Conn*>& all, Pool* pool) { // => def function close; read net:Conn; read *.Pool
    for (auto* one : all)
        one->close(); // => call net:Conn().close
    for (auto& [key, one] : pool->table())  // => call *.Pool().table
        one.close();
}

template <class T> // => def function largest
T largest(const std::vector<T>& all) { return std::max(all[0], kLimit); } // => read *.kLimit

static Pool* current = new Pool(3); // => def variable current; call+read *.Pool

Pool& Pool::shared() { return *current; } // => def method Pool.shared; read *.Pool

extern "C" int pool_version(void) { return 1; } // => def function pool_version

TEST_CASE("pools open", "[pool]") { // => def function pools open; call *.TEST_CASE
    std::cout << Pool::shared().size(); // => effect ui std.cout; call *.Pool.shared; call *.Pool.shared().size
}

TEST_F(PoolTest, Grows) { // => def function PoolTest.Grows; call *.TEST_F; read *.PoolTest
    EXPECT_EQ(fixture_, 1); // => call *.EXPECT_EQ; read *.fixture_
}
