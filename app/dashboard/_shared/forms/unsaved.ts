import { useEffect } from 'react';

/** Asks about what is typed on this page and not saved; null while there is nothing. */
let question: string | null = null;
/** Somebody has said yes. */
let isLeaving = false;

/** Whether something is typed on this page that would be lost with it. */
export function isUnsaved(): boolean {
  return question !== null;
}

/**
 * Whether to go on to another page: asks where something typed would be lost with this one. Who says
 * yes is not asked a second time.
 */
export function mayLeave(): boolean {
  if (question === null) return true;
  isLeaving ||= window.confirm(question);
  return isLeaving;
}

/** Nobody has left after all: what is typed is asked about again. */
export function haveStayed(): void {
  isLeaving = false;
}

function isPlain({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;
}

/** Whether a link shows another page instead of this one. */
function isAway({ href, target, download }: HTMLAnchorElement): boolean {
  const isHere = href.split('#')[0] === window.location.href.split('#')[0];
  return href !== '' && !isHere && target !== '_blank' && download === '';
}

function onClick(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link && isPlain(event) && isAway(link) && !mayLeave()) event.preventDefault();
}

/** Back and Forward between pages of the dashboard, which load nothing; not every browser tells. */
function onNavigate(event: NavigateEvent): void {
  if (event.navigationType === 'traverse' && !event.hashChange && event.cancelable && !mayLeave()) {
    event.preventDefault();
  }
}

/** The browser asks in its own words: a closed tab, a reload, an address, a server that is away. */
function onUnload(event: BeforeUnloadEvent): void {
  if (!isLeaving) event.preventDefault();
}

/**
 * Asks before the page is left, by whatever way, while something typed is not saved. Who wanted to
 * leave, could not, and types on is asked again.
 *
 * @param asks what is asked then; null while nothing would be lost
 */
export function useUnsaved(asks: string | null): void {
  useEffect(() => {
    if (asks === null) return;
    question = asks;
    isLeaving = false;
    // In the capture phase: a link of Next's looks whether somebody refused the click already.
    document.addEventListener('click', onClick, { capture: true });
    window.addEventListener('beforeunload', onUnload);
    window.navigation?.addEventListener('navigate', onNavigate);
    return () => {
      question = null;
      document.removeEventListener('click', onClick, { capture: true });
      window.removeEventListener('beforeunload', onUnload);
      window.navigation?.removeEventListener('navigate', onNavigate);
    };
  });
}
