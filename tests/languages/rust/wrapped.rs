cfg_net! { // => read cfg_net
    /// Listens { for others.
    #[cfg(feature = "net")]
    pub mod tcp; // => import mod tcp as tcp
    pub use self::tcp::Listener; // => import self::tcp:Listener (reexport)

    /// Opens it.
    pub fn open() -> Listener { // => def function open; read self::tcp:Listener
        log("}", '{', r#"}"}"#); // => call log
        Listener::new() // => call self::tcp:Listener.new
    }

    cfg_rt! { // => read cfg_rt
        fn log(text: &str) {} // => def function log
    }
}

cfg_if::cfg_if! { // => read cfg_if.cfg_if
    if #[cfg(unix)] {
        mod unix; // => import mod unix as unix
        use unix::Poll; // => import unix:Poll
        fn poll() { if true { Poll::one() } else { Poll::all() } } // => def function poll; call unix:Poll.one; call unix:Poll.all
    } else if #[cfg(windows)] {
        mod windows; // => import mod windows as windows
    } else {
        mod none; // => import mod none as none
    }
}

pin_project! { // => read pin_project
    /// A read.
    pub struct Read<T> { // => def struct Read
        #[pin]
        inner: T,
    }
}

macro_rules! on_linux { ($($item:item)*) => { $(#[cfg(target_os = "linux")] $item)* } } // => def macro on_linux

on_linux!{ // => read on_linux
    fn epoll() {} // => def function epoll
}

lazy_static! { // => read lazy_static
    static ref TABLE: Vec<u8> = unseen();
}

cfg_flags! { // => read cfg_flags
    pub struct Flags: u32 { const A = 1; }
}
