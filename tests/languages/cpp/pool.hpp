// Pools of connections.
#pragma once

#include <memory> // => import <memory>:*
#include "net/conn.hpp" // => import "net/conn.hpp":*

namespace app { // => def namespace app
class Log; // => read *.Log

template <typename T> // => def class app.Keeper
class Keeper : public Base<T>, private net::Owner { // => base *.Base; base *.net.Owner
public:
    T* get() const { return item_; } // => def method app.Keeper.get
    template <typename... Args> // => def method app.Keeper.put
    void put(Args&&... args) { item_ = new T(args...); } // => write app.Keeper.item_
private:
    T* item_ = nullptr; // => def variable app.Keeper.item_
};

/// A pool.
class POOL_API Pool final : public Keeper<net::Conn> { // => def class app.Pool; base app.Keeper; read *.net.Conn; read *.POOL_API
    Q_OBJECT // => read *.Q_OBJECT
public:
    enum class Mode { Fast, Slow }; // => def enum app.Pool.Mode; def variable app.Pool.Mode.Fast; def variable app.Pool.Mode.Slow
    enum Level { Low, High }; // => def enum app.Pool.Level; def variable app.Pool.Low; def variable app.Pool.High
    using Handle = std::shared_ptr<net::Conn>; // => def type app.Pool.Handle; read *.net.Conn
    explicit Pool(int size) : size_(size), log_(nullptr) {} // => def method app.Pool.Pool; write app.Pool.size_; write app.Pool.log_
    ~Pool() override; // => def declaration app.Pool.~Pool
    virtual bool open(const std::string& url, Mode mode = Mode::Fast) = 0; // => def declaration app.Pool.open; read app.Pool.Mode; read app.Pool.Mode.Fast
    static Pool& shared(); // => def declaration app.Pool.shared
    bool operator==(const Pool& other) const; // => def declaration app.Pool.operator==
    int size() const noexcept { return this->size_ + count(); } // => def method app.Pool.size; call app.Pool.count
    friend class Other; // => read *.Other
protected:
    static int count(); // => def declaration app.Pool.count
    int size_ = 0, used_; // => def variable app.Pool.size_; def variable app.Pool.used_
    std::unique_ptr<Log> log_; // => def variable app.Pool.log_; read *.Log
    net::Conn *first_, &last_; // => def variable app.Pool.first_; def variable app.Pool.last_
};

inline namespace v1 {
constexpr int kLimit = 8; // => def variable app.kLimit
#define POOL_CHECK(x) check(x) // => def macro POOL_CHECK; call *.check
}
} // namespace app
