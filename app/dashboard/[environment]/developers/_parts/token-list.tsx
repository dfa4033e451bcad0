import { isolated } from '#app/_i18n/isolated.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { Environment } from '#server/merchants/types.ts';
import type { TokenView } from '#server/trpc/rows.ts';
import { ActionButton } from '../../../_shared/forms/action-button.tsx';
import { Instant } from '../../../_shared/instant.tsx';
import { Unfold } from '../../../_shared/unfold.tsx';
import { TokenRotation } from './token-rotation.tsx';
import { scopeWord, wordOfUse } from './token-words.ts';

// The few that somebody has just ended stay in sight; the rest is history.
const ENDED_IN_SIGHT = 5;

/** The language, time zone and environment in which tokens and secrets are described. */
export type DeveloperView = { locale: Locale; timeZone: string; environment: Environment };

/** `mayMake`: make tokens and replace them; `mayEnd`: deactivate them. */
type ListProps = DeveloperView & { mayMake: boolean; mayEnd: boolean };

/** What a token was last used for, and from where; nothing for a use that was not described. */
function LastUse({ token, locale }: { token: TokenView; locale: Locale }) {
  const t = translatorOf(locale, 'dashboard.developers');
  const { lastUsedFor, lastUsedFrom } = token;
  const use = lastUsedFor === null ? null : wordOfUse(lastUsedFor);
  return (
    <>
      {use && ` ${t(`uses.${use}`)}`}
      {lastUsedFrom && `, ${t('usedFrom', { address: lastUsedFrom })}`}
    </>
  );
}

function Token({ token, ...view }: ListProps & { token: TokenView }) {
  const { locale, timeZone, environment, mayMake, mayEnd } = view;
  const t = translatorOf(locale, 'dashboard');
  const ends = [token.deactivatedAtMs, token.expiresAtMs].filter((atMs) => atMs !== null);
  const endMs = ends.length > 0 ? Math.min(...ends) : null;
  const instant = (atMs: number) => <Instant atMs={atMs} locale={locale} timeZone={timeZone} />;
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3">
      <div className="min-w-0 text-[0.9375rem]">
        <p className="font-medium [overflow-wrap:anywhere]">
          <bdi>{token.name}</bdi>{' '}
          <code className="ml-1 font-mono text-muted text-sm">{token.prefix}…</code>
        </p>
        <p className="text-muted text-sm">
          {t('developers.created')} {instant(token.createdAtMs)} ·{' '}
          {token.lastUsedAtMs === null ? (
            t('developers.notUsed')
          ) : (
            <>
              {t('developers.lastUsed')} {instant(token.lastUsedAtMs)}
              <LastUse token={token} locale={locale} />
            </>
          )}
          {endMs !== null && (
            <>
              {' '}
              ·{' '}
              <span className="lowercase">
                {token.isActive ? t('developers.expires') : t('developers.ended')}
              </span>{' '}
              {instant(endMs)}
            </>
          )}
        </p>
        <p className="text-muted text-sm">
          {token.scopes.map((scope) => t(`developers.scopes.${scopeWord(scope)}`)).join(' · ')}
        </p>
        {token.networks.length > 0 && (
          <p className="text-muted text-sm [overflow-wrap:anywhere]">
            {t('developers.worksOnlyFrom', { networks: token.networks.join(', ') })}
          </p>
        )}
      </div>
      {token.isActive ? (
        <div className="flex min-w-0 flex-wrap gap-2">
          {mayMake && (
            <TokenRotation
              environment={environment}
              tokenId={token.id}
              name={token.name}
              back={t('back')}
            />
          )}
          {mayEnd && (
            <ActionButton
              environment={environment}
              action={{ does: 'deactivateToken', tokenId: token.id }}
              label={t('developers.deactivate')}
              accessibleLabel={`${t('developers.deactivate')}: ${token.name}`}
              done={t('developers.deactivated')}
              confirmation={{
                title: t('developers.deactivateTitle', { name: isolated(token.name) }),
                text: t('developers.deactivateText'),
                confirm: t('developers.deactivate'),
                back: t('back'),
                isDestructive: true,
              }}
            />
          )}
        </div>
      ) : (
        <span className="badge rounded-full bg-sunk px-2.5 py-0.5 text-muted text-sm">
          {t('developers.ended')}
        </span>
      )}
    </li>
  );
}

/** Tokens as the API lists them; all but a few of the ended ones are folded away. */
export function TokenList({ tokens, ...view }: ListProps & { tokens: readonly TokenView[] }) {
  const t = translatorOf(view.locale, 'dashboard.developers');
  const folded = tokens.filter(({ isActive }) => !isActive).slice(ENDED_IN_SIGHT);
  const list = (listed: readonly TokenView[]) => (
    <ul className="mt-2 divide-y divide-line">
      {listed.map((token) => (
        <Token key={token.id} token={token} {...view} />
      ))}
    </ul>
  );
  return (
    <>
      {list(tokens.filter((token) => !folded.includes(token)))}
      {folded.length > 0 && (
        <details className="border-line border-t pt-3">
          <Unfold>
            {t('moreEnded')}: {folded.length}
          </Unfold>
          {list(folded)}
        </details>
      )}
    </>
  );
}
