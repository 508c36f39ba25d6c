"""What its examination found and how adapters entered service is refused any change by the database itself."""

from django.db import migrations

from backend.core.database.frozen_rows import FreezeRows


class Migration(migrations.Migration):
    dependencies = [("adapters", "0001_initial")]
    operations = [FreezeRows("GateReport"), FreezeRows("AdapterEvent")]
