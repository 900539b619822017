export const layerId = 'layer';

/**
 * The container for dialogs and menus. It comes last inside <main>, so that they are inside a
 * landmark.
 */
export const Layer = () => <div id={layerId} />;
