import type { JsonObject } from '@mortise/plugin';
import type { CallChannel, InputRequest } from '@mortise/plugin/runtime';

/** The maximum number of remembered pages of one server. Beyond it the oldest is dropped. */
const MAX_OPEN = 100;

/** The pages that users were asked to open (elicitation of mode `url`), and the calls that they belong to. */
export class OpenPages {
  readonly #channels = new Map<string, CallChannel>();

  add(requests: Readonly<Record<string, InputRequest>>, channel: CallChannel | undefined): void {
    if (channel?.inputMode !== 'ask') return;
    for (const { params } of Object.values(requests)) {
      const { mode, elicitationId } = params;
      if (mode !== 'url' || typeof elicitationId !== 'string') continue;
      const [oldest] = this.#channels.size >= MAX_OPEN ? this.#channels.keys() : [];
      if (oldest !== undefined) this.#channels.delete(oldest);
      this.#channels.set(elicitationId, channel);
      channel.expectElicitation?.(elicitationId);
    }
  }

  /** Tells the client of a page, once, that the user has finished it. */
  complete({ elicitationId }: JsonObject): void {
    const channel = this.#channels.get(String(elicitationId));
    this.#channels.delete(String(elicitationId));
    channel?.completeElicitation?.(String(elicitationId));
  }
}
