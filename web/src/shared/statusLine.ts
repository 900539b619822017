/** Dispatched on the page that changed the announcement, to refetch it immediately. */
export const statusChangedEvent = 'wcpp.status';

export const notifyStatusChanged = () => window.dispatchEvent(new Event(statusChangedEvent));
