import { useEffect } from 'react';

/** The question about unsaved text on this page; null while there is none. */
let question: string | null = null;
/** Somebody has confirmed leaving. */
let isLeaving = false;

/** Whether leaving this page would lose unsaved text. */
export function isUnsaved(): boolean {
  return question !== null;
}

/**
 * Whether to go on to another page: asks if this would lose unsaved text. A confirmed question is
 * not asked again.
 */
export function mayLeave(): boolean {
  if (question === null) return true;
  isLeaving ||= window.confirm(question);
  return isLeaving;
}

/** Nobody has left after all, so unsaved text is asked about again. */
export function haveStayed(): void {
  isLeaving = false;
}

function isPlain({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;
}

/** Whether a link replaces this page. */
function isAway({ href, target, download }: HTMLAnchorElement): boolean {
  const isHere = href.split('#')[0] === window.location.href.split('#')[0];
  return href !== '' && !isHere && target !== '_blank' && download === '';
}

function onClick(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link && isPlain(event) && isAway(link) && !mayLeave()) event.preventDefault();
}

/** Back and Forward between dashboard pages, which load nothing; some browsers keep silent. */
function onNavigate(event: NavigateEvent): void {
  if (event.navigationType === 'traverse' && !event.hashChange && event.cancelable && !mayLeave()) {
    event.preventDefault();
  }
}

/** The browser asks in its own words: a closed tab, a reload, an address, an unreachable server. */
function onUnload(event: BeforeUnloadEvent): void {
  if (!isLeaving) event.preventDefault();
}

/**
 * Asks before the page is left in any way with unsaved text. A user whose leaving failed and who
 * types on is asked again.
 *
 * @param asks the question; null while nothing would be lost
 */
export function useUnsaved(asks: string | null): void {
  useEffect(() => {
    if (asks === null) return;
    question = asks;
    isLeaving = false;
    // The capture phase comes first: Next's link checks whether somebody has refused the click.
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
