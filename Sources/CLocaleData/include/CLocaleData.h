// Nothing to call: the object that it is linked with matters. See CLocaleData.c.
