import type { RegisterApi } from '@mortise/plugin';

/** The .NET SDK as a Mortise plugin. */
export function register(api: RegisterApi): void {
  void api;
}
