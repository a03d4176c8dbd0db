/** Notifications as an asynchronous iterator. */

export class Listener {
  #received = [];
  #wakers = [];
  #isOver = false;
  #error = undefined;
  #subscribed = undefined;
  #unlisten;
  #wait;

  /** `wait` receives 1 when a reader begins to wait for the host, and -1 when it ends. */
  constructor(topics, unlisten, wait) {
    this.topics = Object.freeze([...topics]);
    this.#unlisten = unlisten;
    this.#wait = wait;
  }

  /** Ends the listener; notifications that it has received can still be read. */
  close() {
    this.#unlisten(this);
  }

  async next() {
    await this.#subscribed;
    while (this.#received.length === 0) {
      if (this.#error) throw this.#error;
      if (this.#isOver) return { done: true, value: undefined };
      this.#wait(1);
      await new Promise((resolve) => this.#wakers.push(resolve));
      this.#wait(-1);
    }
    return { done: false, value: this.#received.shift() };
  }

  async return(value) {
    this.close();
    return { done: true, value };
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  // Callbacks of the host and its session

  /** The answer to the subscription; if the host refuses it, `next` throws the error. */
  set subscribed(promise) {
    this.#subscribed = promise;
    promise.catch(() => this.close());
  }

  accepts(topic) {
    return this.topics.length === 0 || this.topics.includes(topic);
  }

  receive(notification) {
    this.#received.push(notification);
    this.#wake();
  }

  end(error) {
    this.#isOver = true;
    this.#error = error;
    this.#wake();
  }

  /** Wakes all calls of `next` that wait. */
  #wake() {
    for (const waker of this.#wakers.splice(0)) waker();
  }
}
