// Lets the search of the site work when it is read from disk. A browser starts no worker there, so this runs the
// worker's script in a hidden frame of the page. The name tells the plugin `offline` that it need not fetch one.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    #frame = document.createElement("iframe");
    #loaded;

    constructor(url) {
      super();
      const answer = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.#loaded = new Promise((resolve, reject) => {
        const start = () => {
          this.#frame.hidden = true;
          document.body.append(this.#frame);
          const inner = this.#frame.contentDocument;
          this.#frame.contentWindow.postMessage = answer;
          const script = inner.createElement("script");
          script.src = new URL(url, location.href).href;
          script.onload = resolve;
          script.onerror = reject;
          inner.body.append(script);
        };
        document.body ? start() : document.addEventListener("DOMContentLoaded", start);
      });
    }

    postMessage(data) {
      this.#loaded.then(() => {
        const inner = this.#frame.contentWindow;
        inner.dispatchEvent(new inner.MessageEvent("message", { data }));
      });
    }

    terminate() {
      this.#frame.remove();
    }
  };
}
