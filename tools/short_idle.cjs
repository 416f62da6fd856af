// Preloaded into firebase-tools. A Python function's server closes a connection that has been idle
// for two seconds; Node would use it again for five. An event sent at that very moment is lost
// ("socket hang up"), for the emulators deliver once. So Node lets go first.
const http = require("http");

http.globalAgent = new http.Agent({ keepAlive: true, scheduling: "lifo", timeout: 1_000 });
