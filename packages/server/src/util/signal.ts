/** An event that happens once. `fired` resolves when `fire` is called. */
export class Signal {
  readonly fired: Promise<void>;
  fire!: () => void;

  constructor() {
    this.fired = new Promise((resolve) => {
      this.fire = resolve;
    });
  }
}
