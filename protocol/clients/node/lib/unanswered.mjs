/**
 * Finds the call that an error under no id is about.
 *
 * It is one of those that were not answered when the error came, whether somebody still awaits them or not. The host
 * answers the others, in any order; so as soon as no more are left than lines were refused, it is those.
 */
export class Unanswered {
  /** How many bytes each line has, by the id of its call. */
  #lengths = new Map();
  /** An error under no id each, with the calls of which it is one. */
  #refusals = [];

  sent(id, length) {
    this.#lengths.set(id, length);
  }

  /** Takes an answer; gives the calls that will have none, with the error of each. */
  answered(id) {
    this.#clear([id]);
    return this.#refusals.length > 0 ? this.#found() : [];
  }

  /** Takes an error under no id; gives the calls that will have no answer, with the error of each. */
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
      // Nobody is left where it was about a line that wanted no answer.
      this.#refusals = this.#refusals.filter(({ suspects }) => suspects.size > 0);
      const lost = this.#refusals.map((each) => this.#lost(each)).find((pairs) => pairs.length > 0);
      if (lost === undefined) return found;
      found.push(...lost);
      this.#clear(lost.map(({ id }) => id));
    }
  }

  /** The suspects, where as many lines of theirs were refused as they are. */
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

/** How many bytes a line may have, where a line had more. */
function lineLimit(error) {
  const data = error.data;
  return data?.reason === "lineTooLong" && typeof data.limit === "number" ? data.limit : undefined;
}
