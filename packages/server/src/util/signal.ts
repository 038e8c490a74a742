/** An event that happens once. `given` resolves when `give` is called. */
export class Signal {
  readonly given: Promise<void>;
  give!: () => void;

  constructor() {
    this.given = new Promise((resolve) => {
      this.give = resolve;
    });
  }
}
