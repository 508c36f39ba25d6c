"""How batches were chosen and what the meter showed is refused any change by the database itself."""

from django.db import migrations

from backend.core.database.frozen_rows import FreezeRows


class Migration(migrations.Migration):
    dependencies = [("active", "0001_initial")]
    operations = [FreezeRows("Choice"), FreezeRows("ChosenItem"), FreezeRows("SavingsReading")]
