/**
 * Finds the call that an error without an id is about.
 *
 * It is one of the calls that were not answered when the error arrived, cancelled or not. The host
 * answers the others, in any order. When only as many calls are left as lines were refused, these
 * are the refused ones.
 */
export class Unanswered {
  /** How many bytes each line has, by the id of its call. */
  #lengths = new Map();
  /** The errors without an id, each with the calls that it may be about. */
  #refusals = [];

  sent(id, length) {
    this.#lengths.set(id, length);
  }

  /** Handles an answer; returns the calls that will not get one, with the error of each. */
  answered(id) {
    this.#clear([id]);
    return this.#refusals.length > 0 ? this.#found() : [];
  }

  /** Handles an error without an id; returns the calls that will not get an answer, with the error of each. */
  refused(error) {
    const limit = lineLimit(error);
    const suspects = new Set();
    for (const [id, length] of this.#lengths) if (limit === undefined || length > limit) suspects.add(id);
    this.#refusals.push({ suspects, error });
    return this.#found();
  }

  #found() {
    const found = [];
    for (;;) {
      // No call is left if the error was about a notification.
      this.#refusals = this.#refusals.filter(({ suspects }) => suspects.size > 0);
      const lost = this.#refusals.map((each) => this.#lost(each)).find((pairs) => pairs.length > 0);
      if (lost === undefined) return found;
      found.push(...lost);
      this.#clear(lost.map(({ id }) => id));
    }
  }

  /** The suspects, if as many lines were refused as there are suspects. */
  #lost({ suspects }) {
    if (this.#refusals.length < suspects.size) return [];
    const among = this.#refusals.filter((each) => [...each.suspects].every((id) => suspects.has(id)));
    return among.length < suspects.size ? [] : [...suspects].map((id, index) => ({ id, error: among[index].error }));
  }

  #clear(ids) {
    for (const id of ids) {
      this.#lengths.delete(id);
      for (const { suspects } of this.#refusals) suspects.delete(id);
    }
  }
}

/** The maximum length of a line, if the error is about a longer one. */
function lineLimit(error) {
  const data = error.data;
  return data?.reason === "lineTooLong" && typeof data.limit === "number" ? data.limit : undefined;
}
