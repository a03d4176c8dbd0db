/** Notifications as an asynchronous iterator. */

export class Listener {
  #heard = [];
  #wakers = [];
  #isOver = false;
  #error = undefined;
  #subscribed = undefined;
  #unlisten;

  constructor(topics, unlisten) {
    this.topics = Object.freeze([...topics]);
    this.#unlisten = unlisten;
  }

  /** Ends the listener; notifications that it has received can still be read. */
  close() {
    this.#unlisten(this);
  }

  async next() {
    await this.#subscribed;
    while (this.#heard.length === 0) {
      if (this.#error) throw this.#error;
      if (this.#isOver) return { done: true, value: undefined };
      await new Promise((resolve) => this.#wakers.push(resolve));
    }
    return { done: false, value: this.#heard.shift() };
  }

  async return(value) {
    this.close();
    return { done: true, value };
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  // Callbacks of the host and its session

  /** The answer to its subscription; who waits for notifications learns of a refusal. */
  set subscribed(promise) {
    this.#subscribed = promise;
    promise.catch(() => this.close());
  }

  hears(topic) {
    return this.topics.length === 0 || this.topics.includes(topic);
  }

  hear(notification) {
    this.#heard.push(notification);
    this.#wake();
  }

  end(error) {
    this.#isOver = true;
    this.#error = error;
    this.#wake();
  }

  /** Whoever waits looks again. */
  #wake() {
    for (const waker of this.#wakers.splice(0)) waker();
  }
}
