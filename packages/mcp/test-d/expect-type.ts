/** Whether two types are the same, `any` and modifiers included. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Does not compile unless the type argument is `true`. */
export function assertType<_T extends true>(): void {}
