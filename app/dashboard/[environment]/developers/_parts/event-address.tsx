import { isolated } from '#app/_i18n/isolated.ts';
import { PageLink } from '#app/_ui/page-link.tsx';
import { docsAddress } from '#app/docs/_content/docs-language.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import type { EventAddressView } from '#server/trpc/rows.ts';
import { eventTypeWord } from '../../../_shared/event-type-word.ts';
import { ActionButton } from '../../../_shared/forms/action-button.tsx';
import { Instant } from '../../../_shared/instant.tsx';
import { Panel } from '../../../_shared/panel.tsx';
import { EventAddressForm } from './event-address-form.tsx';
import type { DeveloperView } from './token-list.tsx';

type Props = DeveloperView & {
  address: EventAddressView;
  permissions: readonly string[];
  /** Why nothing can be changed while the merchant is suspended. */
  rests: string | null;
};

/** What those see who change nothing. */
function Facts({ address, rests, locale }: Props) {
  const t = translatorOf(locale, 'dashboard');
  return (
    <>
      {address ? (
        <p className="wrap-anywhere">
          <code className="font-mono text-sm">{address.url}</code>
          <span className="block text-muted text-sm">
            {address.types.map((type) => t(`eventTypes.${eventTypeWord(type)}`)).join(', ')}
          </span>
        </p>
      ) : (
        <p className="text-muted">{t('developers.events.off')}</p>
      )}
      {rests && <p className="mt-2 text-muted">{rests}</p>}
    </>
  );
}

/** Where the merchant's events are sent. */
export function EventAddress(props: Props) {
  const { address, permissions, environment, locale, timeZone } = props;
  const t = translatorOf(locale, 'dashboard.developers.events');
  const mayManage = permissions.includes('events.manage');
  return (
    <Panel id="events" title={t('title')}>
      <p className="mb-3 max-w-prose text-muted">
        {t('text')}{' '}
        <a href={docsAddress('/docs/events', locale)} className="link">
          {t('docs')}
        </a>
      </p>
      {mayManage ? (
        <EventAddressForm key={address?.setAtMs} {...{ environment, address }} />
      ) : (
        <Facts {...props} />
      )}
      {address && (
        <div className="mt-4 flex flex-wrap items-center gap-3 empty:hidden">
          <span className="text-muted text-sm">
            {t('since')} <Instant atMs={address.setAtMs} {...{ locale, timeZone }} />
          </span>
          {permissions.includes('callback.test') && (
            <PageLink
              href={`/dashboard/${environment}/callbacks/test?kind=event`}
              className="button button-plain button-compact"
            >
              {t('test')}
            </PageLink>
          )}
          {mayManage && (
            <ActionButton
              environment={environment}
              action={{ does: 'removeEventAddress' }}
              label={t('remove')}
              done={t('removed')}
              className="button button-danger button-compact"
              confirmation={{
                title: t('removeTitle'),
                text: t('removeText', { host: isolated(new URL(address.url).host) }),
                confirm: t('remove'),
                back: translatorOf(locale, 'dashboard')('back'),
                isDestructive: true,
              }}
            />
          )}
        </div>
      )}
    </Panel>
  );
}
