/** Something that happens once, and can be waited for. */
export class Signal {
  readonly given: Promise<void>;
  give!: () => void;

  constructor() {
    this.given = new Promise((resolve) => {
      this.give = resolve;
    });
  }
}
