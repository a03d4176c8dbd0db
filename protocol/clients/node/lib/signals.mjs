/** Watches AbortSignals with one listener per signal, however many calls share it. */
export class Signals {
  #watchers = new Map();

  watch(signal, step) {
    if (signal === undefined) return;
    const known = this.#watchers.get(signal);
    if (known) {
      known.steps.add(step);
      return;
    }
    const steps = new Set([step]);
    const fire = () => {
      this.#watchers.delete(signal);
      for (const each of steps) each();
    };
    this.#watchers.set(signal, { steps, fire });
    signal.addEventListener("abort", fire, { once: true });
  }

  forget(signal, step) {
    const known = this.#watchers.get(signal);
    if (!known?.steps.delete(step) || known.steps.size > 0) return;
    this.#watchers.delete(signal);
    signal.removeEventListener("abort", known.fire);
  }
}
