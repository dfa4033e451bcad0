import { SettingError } from '../lib/errors.ts';

/**
 * Whoever can call an unsigned `/api/inngest` can run our jobs; and without keys no event is taken.
 *
 * @param keys by the names of their settings
 * @throws SettingError that names the setting
 */
export function assertInngestIsSigned(
  dev: string | undefined,
  keys: { [setting: string]: string | undefined },
): void {
  if (!['0', 'false', undefined].includes(dev?.toLowerCase())) {
    throw new SettingError(
      'The setting INNGEST_DEV must not be set in production: it switches signature checks off.',
    );
  }
  for (const [setting, key] of Object.entries(keys)) {
    if (key !== undefined) continue;
    throw new SettingError(
      `The setting ${setting} must be set when JOBS_DRIVER is inngest in production.`,
    );
  }
}
