export const layerId = 'layer';

/** Where dialogs and menus are drawn: placed last inside <main>, so that they belong to a landmark. */
export const Layer = () => <div id={layerId} />;
