rootProject.name = "shop"
include(":core", ":libs:net")  // => import :core (entry); import :libs:net (entry)
include("web")  // => import :web (entry)
