import { secret } from '@mortise/plugin';

/** The last words of names that hold secrets (contract.md §7). */
const SECRET =
  /(?:password|passwd|pwd|passphrase|secret|token|api_?key|access_?key|account_?key|private_?key|client_?secret|credentials?|cookie)$/;

const NOT_SECRET = /(?:public_?key|next|page|continuation|sync|cancellation)_?token$/;

/** The value of a property or metadata, as a secret where its name says so: any environment variable can be asked for. */
export function secretNamed(name: string, value: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[-.]/g, '_')
    .toLowerCase();
  const isSecret = SECRET.test(words) && !NOT_SECRET.test(words);
  return isSecret && value !== '' ? secret(value) : value;
}
