import type { LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import type { ClientSettings } from './client-settings.ts';

/** The user's settings that a provider ignores, each named once for each model. */
export class IgnoredSettings {
  readonly #settings: Pick<ClientSettings, 'providerOptions' | 'reasoning' | 'temperature'>;
  /** Model and setting. */
  readonly #named = new Set<string>();

  constructor(settings: Pick<ClientSettings, 'providerOptions' | 'reasoning' | 'temperature'>) {
    this.#settings = settings;
  }

  /** Sentences on the settings that this reply of a model says it ignored, and that were not named before. */
  newIn(name: string, { warnings }: LanguageModelV4GenerateResult): string[] {
    const given = this.#givenTo(name);
    const sentences: string[] = [];
    for (const warning of warnings) {
      if (warning.type !== 'unsupported') continue;
      const feature = warning.feature.toLowerCase();
      const setting = given.find((it) => feature.includes(it.toLowerCase()));
      const key = `${name} ${setting}`;
      if (setting === undefined || this.#named.has(key)) continue;
      this.#named.add(key);
      sentences.push(`${name} ignores the setting ${setting}, which it does not support.`);
    }
    return sentences;
  }

  #givenTo(name: string): string[] {
    const { providerOptions = {}, reasoning, temperature } = this.#settings;
    const own = providerOptions[name.slice(0, name.indexOf('/'))];
    return Object.keys({
      ...(reasoning && { reasoning }),
      ...(temperature !== undefined && { temperature }),
      ...own,
    });
  }
}
